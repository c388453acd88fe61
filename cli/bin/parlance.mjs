#!/usr/bin/env node
// npm links commands when it installs, which is before anything is built, so this file is not generated.
import { existsSync } from 'node:fs'

const main = new URL('../dist/main.js', import.meta.url)

if (existsSync(main)) await import(main.href)
else {
  console.error('Parlance is not built yet: run `npm run build` first.')
  process.exitCode = 1
}
