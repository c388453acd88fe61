import g711 from 'alawmulaw'

/** G.711: one byte a sample, for telephony at 8 kHz. */

export const pcmToUlaw = (pcm: Int16Array): Uint8Array => g711.mulaw.encode(pcm)
export const ulawToPcm = (bytes: Uint8Array): Int16Array => g711.mulaw.decode(bytes)
export const pcmToAlaw = (pcm: Int16Array): Uint8Array => g711.alaw.encode(pcm)
export const alawToPcm = (bytes: Uint8Array): Int16Array => g711.alaw.decode(bytes)
