// The entries of Piper's collection, made from its index `voices.json`.

const collection = 'https://huggingface.co/rhasspy/piper-voices'

/** As the collection documents its qualities. */
const sampleRateOf = { x_low: 16_000, low: 16_000, medium: 22_050, high: 22_050 }

/** The memory of a process besides the model itself, as measured with models of several sizes. */
const processBytes = 100_000_000

const capitalized = (name) => name.charAt(0).toUpperCase() + name.slice(1)

const lastSegment = (path) => path.split('/').at(-1)

const fileOf = (path, { size_bytes, md5_digest }, known) => ({
  url: encodeURI(`${collection}/resolve/main/${path}`),
  size_bytes,
  md5: md5_digest,
  sha256: null,
  path: lastSegment(path),
  // The card is text that is edited occasionally, and the model works without it.
  ...(lastSegment(path) === 'MODEL_CARD' ? { optional: true } : {}),
  ...known,
})

/**
 * `known` adds what the index does not have, by voice: digests and other addresses by file, and the license. `genders` are
 * by the name of the voice without its quality: of all speakers, or by the name of the speaker.
 */
export const piperModels = (voices, known, genders) =>
  Object.values(voices).map((voice) => {
    const { key, name, language, quality, num_speakers: speakers, files } = voice
    const { license, files: knownFiles = {} } = known[key] ?? {}
    const gender = genders[`${language.code}-${name}`]
    const paths = Object.keys(files)
    const card = paths.find((path) => path.endsWith('/MODEL_CARD'))
    const model = paths.find((path) => path.endsWith('.onnx'))
    return {
      name: key,
      kind: 'tts',
      format: 'piper',
      display_name: `${capitalized(name).replaceAll('_', ' ')} (${quality.replace('_', ' ')})`,
      collection: 'piper-voices',
      languages: [language.code.replace('_', '-'), language.family],
      speakers,
      ...(gender === undefined ? {} : { gender }),
      sample_rate: sampleRateOf[quality] ?? null,
      memory_bytes: files[model].size_bytes + processBytes,
      license: {
        name: license?.name ?? null,
        permissive: license?.permissive ?? null,
        source: encodeURI(`${collection}/blob/main/${card}`),
        lineage: license?.lineage ?? null,
      },
      files: paths.map((path) => fileOf(path, files[path], knownFiles[lastSegment(path)])),
    }
  })
