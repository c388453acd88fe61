/** What is called as the bytes of a file arrive. `totalBytes` is undefined where it is not known. */
export type OnProgress = (file: string, receivedBytes: number, totalBytes: number | undefined) => void

const intervalMs = 200

/** Calls `onProgress` at the beginning and the end of each file, and a few times a second between them. */
export const limitProgress = (onProgress: OnProgress, nowMs: () => number = () => performance.now()): OnProgress => {
  let current: string | undefined
  let calledAtMs = 0
  return (file, receivedBytes, totalBytes) => {
    const isDue = file !== current || receivedBytes === totalBytes || nowMs() - calledAtMs >= intervalMs
    if (!isDue) return
    current = file
    calledAtMs = nowMs()
    onProgress(file, receivedBytes, totalBytes)
  }
}
