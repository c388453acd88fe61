/** Assembles `src/encoding/polyphase-kernel.wat` into the source file that is shipped; `--print` only prints that. */
import { readFileSync, writeFileSync } from 'node:fs'
import openWabt from 'wabt'

const source = new URL('src/encoding/polyphase-kernel.wat', import.meta.url)
const target = new URL('src/encoding/polyphase-kernel.ts', import.meta.url)

const wabt = await openWabt()
const module = wabt.parseWat('polyphase-kernel.wat', readFileSync(source, 'utf8'), { simd: true })
const base64 = Buffer.from(module.toBinary({}).buffer).toString('base64')
const lines = base64.match(/.{1,96}/g).map((line) => `  '${line}',`)
const text = `/** \`polyphase-kernel.wat\`, assembled by \`assemble.mjs\`. */
export const polyphaseKernelBase64 = [
${lines.join('\n')}
].join('')
`
if (process.argv.includes('--print')) process.stdout.write(text)
else writeFileSync(target, text)
