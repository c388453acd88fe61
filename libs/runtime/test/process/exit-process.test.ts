import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const built = fileURLToPath(new URL('../../dist/process/index.js', import.meta.url))
const exitsWith3 = `import { exitProcess } from ${JSON.stringify(built)}
process.on('SIGHUP', () => exitProcess(3)).on('SIGUSR2', () => exitProcess(3))
process.on('exit', () => console.error('bye'))
setTimeout(() => {}, 20_000)
console.log(process.pid)`

/** Sends SIGHUP to the process when the terminal closes, as a shell does, and then reports the exit code of the process. */
const shell = `trap 'kill -HUP $process' HUP
"$NODE" --input-type=module --eval "$PROGRAM" 2>&4 &
process=$!
wait $process; code=$?
if [ $code = 129 ]; then wait $process; code=$?; fi
echo $code >&3`

/** The process on a new terminal, which lasts as long as `script` does. */
const startOnTerminal = () => {
  const terminal = spawn('script', ['-qec', shell, '/dev/null'], {
    env: { PATH: process.env.PATH, SHELL: '/bin/sh', NODE: process.execPath, PROGRAM: exitsWith3 },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe'],
  })
  const [, output, , code, errors] = terminal.stdio as unknown as Readable[]
  return { terminal, output: output!, code: text(code!), errors: text(errors!) }
}

test('a process whose terminal was closed finishes its work and ends without a crash', async () => {
  const { terminal, output, code, errors } = startOnTerminal()
  await once(output, 'data')
  terminal.kill('SIGKILL')
  expect({ code: await code, errors: await errors }).toEqual({ code: '137\n', errors: 'bye\n' })
})

test('on a terminal it ends with the given code', async () => {
  const { output, code, errors } = startOnTerminal()
  const [pid] = await once(output, 'data')
  output.resume()
  process.kill(Number(pid), 'SIGUSR2')
  expect({ code: await code, errors: await errors }).toEqual({ code: '3\n', errors: 'bye\n' })
})
