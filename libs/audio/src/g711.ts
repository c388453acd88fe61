import g711 from 'alawmulaw'

/** Encodes mono s16 PCM, usually at 8 kHz, as G.711 µ-law: one byte for each sample. */
export const pcmToUlaw = (pcm: Int16Array): Uint8Array => g711.mulaw.encode(pcm)
/** Decodes G.711 µ-law bytes, one for each sample, to mono s16 PCM. */
export const ulawToPcm = (bytes: Uint8Array): Int16Array => g711.mulaw.decode(bytes)
/** Encodes mono s16 PCM, usually at 8 kHz, as G.711 A-law: one byte for each sample. */
export const pcmToAlaw = (pcm: Int16Array): Uint8Array => g711.alaw.encode(pcm)
/** Decodes G.711 A-law bytes, one for each sample, to mono s16 PCM. */
export const alawToPcm = (bytes: Uint8Array): Int16Array => g711.alaw.decode(bytes)
