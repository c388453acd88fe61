import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createFrameDecoder, encodeFrame, encodeJsonFrame, type Frame, jsonOf } from '@parlance/engine/protocol'

const built = fileURLToPath(new URL('../../dist/host/index.js', import.meta.url))
const program = fileURLToPath(new URL('scripted-engine.mjs', import.meta.url))

interface Host {
  readonly child: ChildProcessWithoutNullStreams
  send(bytes: Uint8Array): void
  speak(job: number, text: string, more?: { ahead: boolean }): void
  /** The next frame, now or when it arrives. */
  next(): Promise<Frame>
  /** The frames of a job until its last one. */
  job(job: number): Promise<Frame[]>
  /** The exit code. */
  ended: Promise<number | null>
}

const children: ChildProcessWithoutNullStreams[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

const startHost = (opening = ''): Host => {
  if (!existsSync(built)) throw new Error('build first: npm run build')
  const child = spawn(process.execPath, [program, opening])
  children.push(child)
  const decode = createFrameDecoder()
  const frames: Frame[] = []
  let wake = () => {}
  child.stdout.on('data', (chunk: Buffer) => {
    frames.push(...decode(chunk))
    wake()
  })
  child.stdin.on('error', () => {})
  child.stderr.resume()
  const next = async () => {
    while (frames.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return frames.shift()!
  }
  return {
    child,
    send: (bytes) => void child.stdin.write(bytes),
    speak: (job, text, more) => void child.stdin.write(encodeJsonFrame('speak', job, { text, volume: 1, ...more })),
    next,
    job: async (job) => {
      const own: Frame[] = []
      for (;;) {
        const frame = await next()
        if (frame.job !== job) throw new Error(`a frame of job ${frame.job}`)
        own.push(frame)
        if (frame.kind === 'end' || frame.kind === 'error') return own
      }
    },
    ended: new Promise((resolve) => child.once('close', resolve)),
  }
}

const kinds = (frames: readonly Frame[]) => frames.map(({ kind }) => kind)

describe('an engine process', () => {
  it('sends its hello, speaks one job after the other and ends with its standard input', async () => {
    const host = startHost()
    expect(jsonOf(await host.next())).toMatchObject({ engine: 'scripted' })
    host.speak(1, 'a')
    host.speak(2, 'b')
    expect(kinds(await host.job(1))).toEqual(['audio', 'marks', 'end'])
    expect(kinds(await host.job(2))).toEqual(['audio', 'marks', 'end'])
    host.child.stdin.end()
    expect(await host.ended).toBe(0)
  })

  it('sends the first block alone when a client waits for it, and with others when none does', async () => {
    const host = startHost()
    await host.next()
    const firstBytes = async (job: number, ahead: boolean) => {
      host.speak(job, 'answer', { ahead })
      return (await host.job(job))[0]!.payload.length
    }
    const awaited: number[] = []
    const ahead: number[] = []
    // A process that is delayed for long enough sends its audio anyway.
    for (let job = 1; job <= 20; job += 2) {
      awaited.push(await firstBytes(job, false))
      ahead.push(await firstBytes(job + 1, true))
    }
    expect(new Set(awaited)).toEqual(new Set([20]))
    expect(ahead).toContain(100)
    host.child.kill('SIGKILL')
  })

  it('sends the returned marks after all audio, and before the end', async () => {
    const host = startHost()
    await host.next()
    host.speak(1, 'answer')
    const frames = await host.job(1)
    expect(kinds(frames).slice(-3)).toEqual(['audio', 'marks', 'end'])
    expect(kinds(frames).slice(0, -2)).not.toContain('marks')
    const audioBytes = frames.filter(({ kind }) => kind === 'audio').map(({ payload }) => payload.length)
    expect(audioBytes.reduce((sum, length) => sum + length)).toBe(100)
    expect(jsonOf(frames.at(-2)!)).toMatchObject({ phonemes: [{ ipa: 'a' }] })
    host.child.kill('SIGKILL')
  })

  it.each(['at once', 'in time'])('obeys a cancel while it speaks %s, and speaks the next job', async (pace) => {
    const host = startHost()
    await host.next()
    host.speak(1, `${pace} for ever`)
    expect((await host.next()).kind).toBe('audio')
    host.send(encodeFrame('cancel', 1))
    const rest = await host.job(1)
    expect(rest.at(-1)?.kind).toBe('end')
    host.speak(2, 'a')
    expect(kinds(await host.job(2))).toEqual(['audio', 'marks', 'end'])
    host.child.kill('SIGKILL')
  })

  it('ends in the middle of a job when its parent has ended', async () => {
    const host = startHost()
    await host.next()
    host.speak(1, 'at once for ever')
    await host.next()
    host.child.stdin.end()
    expect(await host.ended).toBe(0)
  })

  it('reports a refused job, and speaks the next one', async () => {
    const host = startHost()
    await host.next()
    host.speak(1, 'refuse')
    const [refusal] = await host.job(1)
    expect(jsonOf(refusal!)).toEqual({ message: 'no such voice' })
    host.speak(2, 'a')
    expect(kinds(await host.job(2))).toEqual(['audio', 'marks', 'end'])
    host.child.kill('SIGKILL')
  })

  it('is ended by any other failure', async () => {
    const host = startHost()
    await host.next()
    host.speak(1, 'break')
    expect(await host.ended).not.toBe(0)
  })

  it('cuts long audio into frames of allowed length', async () => {
    const host = startHost()
    await host.next()
    host.speak(1, 'long')
    const audio = (await host.job(1)).filter(({ kind }) => kind === 'audio')
    expect(audio.length).toBeGreaterThan(1)
    expect(audio.reduce((sum, { payload }) => sum + payload.length, 0)).toBe(2_000_000)
    host.child.kill('SIGKILL')
  })

  it('warms up while it has no job', async () => {
    const host = startHost()
    await host.next()
    let steps = 0
    for (let job = 1; steps < 3; job++) {
      await new Promise((resolve) => setTimeout(resolve, 60))
      host.speak(job, 'steps')
      const [first] = await host.job(job)
      steps = first?.kind === 'audio' ? first.payload.length / 2 : 0
    }
    host.child.kill('SIGKILL')
  })

  it('ignores the signals that are meant for its parent', async () => {
    const host = startHost()
    await host.next()
    host.child.kill('SIGINT')
    host.child.kill('SIGTERM')
    host.speak(1, 'a')
    expect(kinds(await host.job(1))).toEqual(['audio', 'marks', 'end'])
    host.child.kill('SIGKILL')
  })

  it('reports why it cannot speak on this machine, and no other failure', async () => {
    const unavailable = startHost('unavailable')
    expect(jsonOf(await unavailable.next())).toEqual({ message: 'nothing to speak with' })
    expect(await unavailable.ended).toBe(1)
    const broken = startHost('broken')
    expect(await broken.ended).not.toBe(0)
  })
})
