// Written by "npm run generate" from src/settings/blobContainers.ts.

@export()
var blobContainers = {
  parked: 'parked'
  deadLetters: 'dead-letters'
  largeValues: 'large-values'
}
