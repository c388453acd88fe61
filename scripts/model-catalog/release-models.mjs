// The entries of the collections that publish archives as assets of a GitHub release.

/** An asset's facts in the answer of GitHub's API about its release; undefined when the release does not have it. */
const publishedFacts = (releases, release, name) => {
  const asset = releases[release]?.assets.find((one) => one.name === name)
  if (asset === undefined) return undefined
  const sha256 = /^sha256:([0-9a-f]{64})$/.exec(asset.digest ?? '')?.[1] ?? null
  return { size_bytes: asset.size, sha256 }
}

/**
 * `releases` has the answers of GitHub's API by the name of the release, as far as they could be read. A selected
 * entry's own facts are used when they could not.
 */
export const releaseModels = (selected, releases) =>
  selected.map(({ files, ...entry }) => ({
    ...entry,
    files: files.map(({ release, asset, repository = 'k2-fsa/sherpa-onnx', approximate_bytes, ...file }) => {
      const { size_bytes = null, sha256 = null, ...rest } = { ...publishedFacts(releases, release, asset), ...file }
      return {
        url: `https://github.com/${repository}/releases/download/${release}/${asset}`,
        size_bytes,
        ...(size_bytes === null ? { approximate_bytes } : {}),
        md5: null,
        sha256,
        ...rest,
      }
    }),
  }))
