// Written by "npm run generate" from src/settings/configSchema.ts.

@export()
@sealed()
type replicaConfig = {
  '$schema': string?
  types: {
    *: ('number' | 'text' | 'boolean')
  }?
  databases: {
    @sealed()
    *: {
      name: string?
      epoch: int?
    }
  }?
  @sealed()
  debezium: {
    binary: ('bytes' | 'base64' | 'base64-url-safe' | 'hex')?
    unavailableValue: string?
  }?
  tables: {
    @sealed()
    *: {
      include: bool?
      container: string?
      key: string[]?
      normalize: {
        *: ('ci' | 'rtrim' | 'guid')[]
      }?
      updates: ('merge' | 'replace')?
      deletes: ('tombstone' | 'soft' | 'ignore')?
      @sealed()
      columns: {
        include: string[]?
        exclude: string[]?
        rename: {
          *: string
        }?
        mask: {
          #disable-next-line no-explicit-any
          *: any
        }?
        types: {
          *: ('number' | 'text' | 'boolean')
        }?
      }?
      types: {
        *: ('number' | 'text' | 'boolean')
      }?
      largeValues: ('blob' | 'dead-letter')?
      itemBytes: int?
    }
  }?
}
