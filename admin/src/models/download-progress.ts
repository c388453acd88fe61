const barLength = 20

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

/** One line with a bar if the size is known, the received amount, and the speed. */
const describe = (
  file: string,
  receivedBytes: number,
  totalBytes: number | undefined,
  bytesPerSecond: number,
): string => {
  const speed = `${megabytes(bytesPerSecond)} MB/s`
  if (totalBytes === undefined || totalBytes === 0) return `${megabytes(receivedBytes)} MB  ${speed}  ${file}`
  const share = Math.min(receivedBytes / totalBytes, 1)
  const filled = Math.round(share * barLength)
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(barLength - filled)}]`
  const percent = `${Math.floor(share * 100)} %`.padStart(5)
  return `${bar} ${percent}  ${megabytes(receivedBytes)} of ${megabytes(totalBytes)} MB  ${speed}  ${file}`
}

const maxRateHz = 10

/** Creates lines about the progress of downloads, at most ten a second. */
export const createDownloadProgress = (show: (line: string) => void, nowMs: () => number = () => performance.now()) => {
  let current = ''
  let startedMs = 0
  let startBytes = 0
  let shownMs = Number.NEGATIVE_INFINITY
  return (file: string, receivedBytes: number, totalBytes: number | undefined): void => {
    const now = nowMs()
    if (file !== current) {
      current = file
      startedMs = now
      startBytes = receivedBytes
      shownMs = Number.NEGATIVE_INFINITY
    }
    if (now - shownMs < 1000 / maxRateHz && receivedBytes !== totalBytes) return
    shownMs = now
    const seconds = Math.max((now - startedMs) / 1000, 0.001)
    show(describe(file, receivedBytes, totalBytes, Math.max(receivedBytes - startBytes, 0) / seconds))
  }
}
