/** The path of the WebSocket for streamed speech. */
export const streamPath = '/v1/tts/stream'
