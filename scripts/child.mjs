import { spawn } from 'node:child_process'

/**
 * Runs a program to its end and resolves to `{ code, signal, output }`; `code` is 1 when a signal ended it. What it prints is
 * collected, or goes to the output of this process with `stdio: 'inherit'`. Signals that would end this process end it first.
 */
export const runChild = (file, args, options = {}) =>
  new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
    let output = ''
    const collect = (text) => {
      output += text
    }
    child.stdout?.setEncoding('utf8').on('data', collect)
    child.stderr?.setEncoding('utf8').on('data', collect)

    const passOn = (signal) => child.kill(signal)
    process.on('SIGINT', passOn).on('SIGTERM', passOn)
    const end = (code, signal = null) => {
      process.off('SIGINT', passOn).off('SIGTERM', passOn)
      resolve({ code, signal, output })
    }
    child.once('error', (error) => {
      output += `${error.message}\n`
      end(1)
    })
    child.once('close', (code, signal) => end(code ?? 1, signal))
  })

/** Runs a program. Rejects with what it printed unless its code is 0. */
export const mustRun = async (file, args, options) => {
  const { code, output } = await runChild(file, args, options)
  if (code !== 0) throw new Error(`${output}${file} ${args.join(' ')} failed.`)
}
