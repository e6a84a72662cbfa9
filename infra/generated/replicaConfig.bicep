// Written by "npm run generate" from src/settings/replicaConfig.ts.

@export()
@sealed()
type replicaConfig = {
  tables: {
    @sealed()
    *: {
      updates: ('merge' | 'replace')?
    }
  }?
}
