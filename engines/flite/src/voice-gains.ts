/** Written by `npm run loudness -- --write`: by how many dB a voice is made louder to have the loudness of all, by its id. */
export const voiceGainsDb: Readonly<Record<string, number>> = {
  // Nell
  '7355d11ed7adc2d6b740e483a623ba41': -4.6,
  // Rufus
  bc4ac8c0b3f46fd8370a8b5e3c9cf24a: 1.1,
  // Ewan
  '0824c67331ff1c437cad108388551076': 0,
  // Hal
  '9fc3edc918203e6f459e524348d7cbc3': 8.2,
}
