// One process for all of them: the compiler is warm after the first file, and every file is compiled once.
import './access.ts';
import './app.ts';
import './compile.ts';
import './network.ts';
import './rules.ts';
import './services.ts';
