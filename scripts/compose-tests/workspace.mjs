import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Where the image has Parlance. */
export const home = process.env.PARLANCE_HOME ?? '/opt/parlance'

const operate = async (...args) => {
  const { stdout } = await promisify(execFile)(process.execPath, [`${home}/cli/bin/parlance.mjs`, ...args, '--json'])
  return JSON.parse(stdout)
}

/** Makes a workspace, calls `work` with the address of the API and the headers of a key, and suspends the workspace. */
export const inWorkspace = async (name, work) => {
  const { workspace, key } = await operate('workspace', 'create', name, '--credit', '1', '--key', 'test')
  try {
    await work({ url: process.env.PARLANCE_URL, headers: { authorization: `Bearer ${key.key}` } })
  } finally {
    await operate('workspace', 'suspend', workspace.id)
  }
}
