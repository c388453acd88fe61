/** Ada of the built-in engine, so that the examples work as they are. */
export const exampleVoiceId = 'c4e6ab920f89f01485102aae2f9b26d5'
