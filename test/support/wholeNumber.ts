import { InvalidArgumentError } from 'commander';

/** Reads the value of an option. @param least what it may be. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (text.trim() === '' || !Number.isSafeInteger(number) || number < least)
      throw new InvalidArgumentError(`It is a whole number from ${least}.`);
    return number;
  };
}
