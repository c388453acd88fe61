/** By then the browser has begun the download. */
const begunMs = 10_000

/** Makes the browser save a file with this name. */
export const saveFile = (file: Blob, name: string): void => {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), begunMs)
}
