#!/usr/bin/env node
// The command line of a checkout and of the image. npm links commands when it installs, which is before anything is built, so this
// file is not generated. The package that is published has the commands of this folder alone.
import { existsSync } from 'node:fs'

const main = new URL('../../admin/dist/main.js', import.meta.url)

if (existsSync(main)) await import(main.href)
else {
  console.error('Parlance is not built yet: run `npm run build` first.')
  process.exitCode = 1
}
