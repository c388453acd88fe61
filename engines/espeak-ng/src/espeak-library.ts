import { declareFunction, EngineUnavailableError, loadKoffi } from '@parlance/engine/host'

/** `samples` is null and `events` not at the very end. */
export type OnBlock = (samples: bigint | null, sampleCount: number, events: bigint) => 0 | 1

const libraryPaths: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: [
    'libespeak-ng.1.dylib',
    '/opt/homebrew/lib/libespeak-ng.1.dylib',
    '/usr/local/lib/libespeak-ng.1.dylib',
    '/opt/local/lib/libespeak-ng.1.dylib',
  ],
  win32: ['libespeak-ng.dll', 'C:\\Program Files\\eSpeak NG\\libespeak-ng.dll'],
}

const audioOutputSynchronous = 2
const phonemeEventsInIpa = 1 | 2
/** Without this flag eSpeak ends the process when its language data is missing. */
const dontExit = 0x8000
/** UTF-8, SSML, phoneme input and no pause after the end, as in the WebAssembly build. */
const textFlags = 0x1 | 0x10 | 0x100

const installed = '(Debian: apt-get install libespeak-ng1 espeak-ng-data)'

const loadFirst = <Library>(load: (path: string) => Library, paths: readonly string[]): Library => {
  for (const path of paths) {
    try {
      return load(path)
    } catch {
      // The next path may exist.
    }
  }
  throw new EngineUnavailableError(`libespeak-ng is not installed ${installed}`)
}

/**
 * Loads the functions of libespeak-ng that are used here, from a path or by its usual names, and initializes it. Pointers
 * are addresses. Rejects with an `EngineUnavailableError` when it is not found, when the file is another library, or when it
 * has no language data.
 */
export const loadEspeakLibrary = async (path: string | undefined, bufferMs: number, onBlock: OnBlock) => {
  const koffi = await loadKoffi('libespeak-ng')
  const usualPaths = libraryPaths[process.platform] ?? ['libespeak-ng.so.1']
  const library = loadFirst((candidate) => koffi.load(candidate), path === undefined ? usualPaths : [path])
  const declare = (declaration: string) => declareFunction(library, 'libespeak-ng', declaration)
  const initialize = declare('int espeak_Initialize(int output, int bufferMs, const char *path, int options)')
  const setSynthCallback = declare('void espeak_SetSynthCallback(void *callback)')
  const info = declare('const char *espeak_Info(void *path)')
  const setVoiceByName = declare('int espeak_SetVoiceByName(const char *name)')
  const setParameter = declare('int espeak_SetParameter(int parameter, int value, int relative)')
  const synth = declare(
    'int espeak_Synth(void *text, size_t bytes, uint from, int fromIn, uint to, uint flags, void *id, void *data)',
  )

  const sampleRateHz = initialize(audioOutputSynchronous, bufferMs, null, phonemeEventsInIpa | dontExit) as number
  if (sampleRateHz <= 0) throw new EngineUnavailableError(`libespeak-ng does not find its data ${installed}`)
  const callback = koffi.proto('int (void *samples, int count, void *events)')
  setSynthCallback(koffi.register(onBlock, koffi.pointer(callback)))

  return {
    /** Such as `1.51`. */
    version: (info(null) as string).split(' ')[0]!,
    sampleRateHz,
    /** Returns 0 also when there is no such timbre. */
    setVoiceByName,
    setParameter,
    /** Calls `onBlock` for each block of audio, on this thread, until it returns 1 or the text ends. */
    synth: (text: Buffer): number => synth(text, text.length, 0, 0, 0, textFlags, null, null) as number,
    /** Views the memory at an address. It belongs to eSpeak and is valid until the callback returns. */
    memory: koffi.view,
  }
}
