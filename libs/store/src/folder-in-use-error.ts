/** Another process uses the data folder, and will for as long as it runs. */
export class FolderInUseError extends Error {
  override name = 'FolderInUseError'

  constructor(folder: string) {
    super(`The data folder ${folder} is in use by another process.`)
  }
}
