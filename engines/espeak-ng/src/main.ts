/**
 * The engine process. It says hello when it is warm, then speaks one job after the other, and ends when its standard
 * input does: when its parent is gone, it is gone. Signals meant for the parent (Ctrl-C reaches the whole group) do
 * not end it, since the parent may still have work for it.
 */
import { readFileSync } from 'node:fs'
import { encodeFrame, encodeJsonFrame, type Hello, type SpeakCommand } from '@parlance/engine-protocol'
import { type CommandPipe, openCommandPipe } from './command-pipe.js'
import { report } from './report-pipe.js'
import { openSpeaker, type Speaker, UnknownVoiceError } from './speaker.js'
import { voices } from './voices.js'
import { warmUpCommands } from './warm-up.js'

const espeakVersion = (): string => {
  const manifest = new URL(import.meta.resolve('@echogarden/espeak-ng-emscripten/package.json'))
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Int16Array) => new Uint8Array(buffer, byteOffset, byteLength)

const speakJob = (speaker: Speaker, commands: CommandPipe, job: number, command: SpeakCommand): void => {
  try {
    const marks = speaker.speak(command, (samples) => {
      commands.poll()
      if (commands.isCancelled(job)) return false
      report(encodeFrame('audio', job, bytesOf(samples)))
      return true
    })
    if (marks !== undefined) report(encodeJsonFrame('marks', job, marks))
    report(encodeFrame('end', job))
  } catch (error) {
    // Any other error leaves eSpeak in a state nobody knows: better a new process.
    if (!(error instanceof UnknownVoiceError)) throw error
    report(encodeJsonFrame('error', job, { message: error.message }))
  }
}

/** Between two warm-ups, so that whatever else starts now gets its share of the processor. */
const warmUpPauseMs = 50

const ignore = () => {}
process.on('SIGINT', ignore)
process.on('SIGTERM', ignore)

const speaker = await openSpeaker()
const commands = openCommandPipe(() => process.exit(0))
const [first, ...otherVoices] = warmUpCommands()
speaker.speak(first!, () => true)

const hello: Hello = {
  engine: 'espeak-ng',
  version: espeakVersion(),
  sampleRateHz: speaker.sampleRateHz,
  voices: voices.map(({ espeakLanguages, timbre, pitch, range, wordsPerMinute, loudness, ...voice }) => voice),
}
report(encodeJsonFrame('hello', 0, hello))

/** What is left of the warm-up is done a little at a time, and given up for a job that comes. */
const warmUpFurther = () => {
  const command = otherVoices.shift()
  if (command === undefined) return
  speaker.speak(command, () => {
    commands.poll()
    return !commands.hasNext()
  })
  setTimeout(warmUpFurther, warmUpPauseMs)
}
warmUpFurther()

for (;;) {
  const { job, command } = await commands.next()
  speakJob(speaker, commands, job, command)
}
