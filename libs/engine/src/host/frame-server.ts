/**
 * An engine process that receives the frames of its jobs while it works.
 *
 * - It sends its hello when it is ready.
 * - It ends when its standard input ends, that is with its parent. It ignores signals meant for the parent (Ctrl-C reaches the
 *   whole process group), since the parent may still have work for it.
 */
import { createFrameDecoder, EngineUnavailableError, encodeJsonFrame, type Frame } from '../protocol/index.js'

/** Sends a small frame, which fits into the pipe at once. */
export const reportBriefly = (bytes: Uint8Array): void => void process.stdout.write(bytes)

/**
 * Runs the process until its end. `createTake` returns the function that receives each frame of the parent. `open` may
 * reject with an `EngineUnavailableError`, which is sent to the parent.
 */
export const serveFrames = async <Engine extends { readonly hello: object }>(
  open: () => Promise<Engine>,
  createTake: (engine: Engine) => (frame: Frame) => void,
): Promise<void> => {
  const ignore = () => {}
  process.on('SIGINT', ignore)
  process.on('SIGTERM', ignore)
  const leave = () => process.exit(0)
  process.stdout.on('error', leave)
  try {
    const engine = await open()
    const take = createTake(engine)
    const decode = createFrameDecoder()
    process.stdin.on('data', (bytes: Buffer) => {
      for (const frame of decode(bytes)) take(frame)
    })
    process.stdin.on('end', leave)
    process.stdin.on('error', leave)
    reportBriefly(encodeJsonFrame('hello', 0, engine.hello))
  } catch (error) {
    if (!(error instanceof EngineUnavailableError)) throw error
    reportBriefly(encodeJsonFrame('error', 0, { message: error.message }))
    process.exitCode = 1
  }
}
