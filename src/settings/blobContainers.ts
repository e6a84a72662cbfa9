/** Names of the Blob containers; the infrastructure creates them, the app never does. */
export const blobContainers = {
  parked: 'parked',
  deadLetters: 'dead-letters',
  largeValues: 'large-values',
} as const;
