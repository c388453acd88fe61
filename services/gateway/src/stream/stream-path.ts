/** Where speech is streamed over a WebSocket. */
export const streamPath = '/v1/tts/stream'
