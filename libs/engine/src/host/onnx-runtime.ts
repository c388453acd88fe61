/**
 * ONNX Runtime through its C interface. The library comes with sherpa-onnx for each platform: the packages of
 * ONNX Runtime itself are five to ten times as large, or download more when they are installed.
 *
 * The interface is a table of functions whose order never changes; later versions only add to its end.
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { EngineUnavailableError } from '../protocol/index.js'
import { loadKoffi } from './native-library.js'

/** An address in the library's memory; null where C has NULL. */
type Pointer = bigint | null

/** A model that takes one tensor of floats and returns another. */
export interface OnnxModel {
  /** Computes the output of `input`, which has the shape that the model was opened with. Throws when the model fails. */
  run(input: Float32Array): number
}

export interface OnnxModelOptions {
  readonly inputName: string
  readonly inputShape: readonly number[]
  readonly outputName: string
}

export interface OnnxRuntime {
  readonly version: string
  /** Opens a model from the bytes of its file. Throws when the model cannot be loaded. */
  openModel(file: Uint8Array, options: OnnxModelOptions): OnnxModel
  /**
   * Writes the model of one file to another, unchanged. Files that end with `.ort` have ONNX Runtime's own format. The graphs inside
   * nodes lose their names. Throws when the model cannot be loaded or the file cannot be written.
   */
  convert(from: string, to: string): void
}

const pathType = process.platform === 'win32' ? 'const char16_t *' : 'const char *'

/**
 * Declarations of the functions that are used, with their place in the table. A status is NULL for success. They have no names,
 * since koffi registers a name once in a process, and several test suites may load this module in one.
 */
const declarations = {
  GetErrorMessage: [2, 'const char *(void *status)'],
  CreateEnv: [3, 'void *(int level, const char *name, _Out_ void **env)'],
  CreateSession: [7, `void *(void *env, ${pathType} file, void *options, _Out_ void **session)`],
  CreateSessionFromArray: [8, 'void *(void *env, const void *file, size_t bytes, void *options, _Out_ void **session)'],
  Run: [
    9,
    'void *(void *session, void *options, const char **inputNames, void **inputs, size_t inputCount, const char **outputNames, size_t outputCount, _Inout_ void **outputs)',
  ],
  CreateSessionOptions: [10, 'void *(_Out_ void **options)'],
  SetOptimizedModelFilePath: [11, `void *(void *options, ${pathType} file)`],
  SetSessionGraphOptimizationLevel: [23, 'void *(void *options, int level)'],
  SetIntraOpNumThreads: [24, 'void *(void *options, int count)'],
  CreateTensorWithDataAsOrtValue: [
    49,
    'void *(void *memory, void *data, size_t bytes, const int64_t *shape, size_t rank, int type, _Out_ void **value)',
  ],
  GetTensorMutableData: [51, 'void *(void *value, _Out_ void **data)'],
  CreateCpuMemoryInfo: [69, 'void *(int allocator, int kind, _Out_ void **memory)'],
  ReleaseStatus: [93, 'void (void *status)'],
  ReleaseSession: [95, 'void (void *session)'],
  ReleaseValue: [96, 'void (void *value)'],
  ReleaseSessionOptions: [100, 'void (void *options)'],
} as const
type FunctionName = keyof typeof declarations

const tableLength = 102
const interfaceVersion = 1
const errorLevel = 3
const floatType = 1
const arenaAllocator = 1
const defaultMemory = 0
const noOptimization = 0

const libraryNames: Readonly<Record<string, string>> = { win32: 'onnxruntime.dll', darwin: 'libonnxruntime.dylib' }

/** The packages of the platforms are beside the one that depends on them. */
const findLibrary = (sherpaOnnx: string): string => {
  const { platform, arch } = process
  const name = `sherpa-onnx-${platform === 'win32' ? 'win' : platform}-${arch}`
  const beside = createRequire(sherpaOnnx)
  return join(dirname(beside.resolve(`${name}/package.json`)), libraryNames[platform] ?? 'libonnxruntime.so')
}

/** A library without a reference is unloaded, and its functions are called by their addresses. */
const keptLibraries: unknown[] = []

const loadLibrary = async (sherpaOnnx: string) => {
  const koffi = await loadKoffi('ONNX Runtime')
  try {
    const library = koffi.load(findLibrary(sherpaOnnx))
    keptLibraries.push(library)
    return { koffi, library }
  } catch (cause) {
    throw new EngineUnavailableError('ONNX Runtime does not run on this system and processor', { cause })
  }
}

const openRuntime = async (sherpaOnnx: string): Promise<OnnxRuntime> => {
  const { koffi, library } = await loadLibrary(sherpaOnnx)
  const base = koffi.struct({ getApi: 'void *', getVersionString: 'void *' })
  const { getApi, getVersionString } = koffi.decode(library.func('void *OrtGetApiBase()')(), base)
  const version = koffi.call(getVersionString, koffi.proto('const char *()')) as string
  const table = koffi.call(getApi, koffi.proto('void *(uint32_t version)'), interfaceVersion) as Pointer
  const places = koffi.decode(table, koffi.array('void *', tableLength)) as Pointer[]
  const prototypes = new Map(
    Object.entries(declarations).map(([name, [, declaration]]) => [name, koffi.proto(declaration)]),
  )
  const call = (name: FunctionName, ...args: unknown[]): unknown =>
    koffi.call(places[declarations[name][0]], prototypes.get(name)!, ...args)

  const check = (status: unknown): void => {
    if (status === null) return
    const message = call('GetErrorMessage', status) as string
    call('ReleaseStatus', status)
    throw new Error(message)
  }
  /** Calls a function that writes the address of a new object to its last parameter. */
  const make = (name: FunctionName, ...args: unknown[]): Pointer => {
    const made: [Pointer] = [null]
    check(call(name, ...args, made))
    return made[0]
  }

  const env = make('CreateEnv', errorLevel, 'parlance')
  const memory = make('CreateCpuMemoryInfo', arenaAllocator, defaultMemory)

  return {
    version,
    openModel: (file, { inputName, inputShape, outputName }) => {
      const options = make('CreateSessionOptions')
      // The models are so small that threads would wait for each other longer than they work.
      check(call('SetIntraOpNumThreads', options, 1))
      const session = make('CreateSessionFromArray', env, file, file.byteLength, options)
      const length = inputShape.reduce((product, size) => product * size, 1)
      const bytes = length * Float32Array.BYTES_PER_ELEMENT
      const data = koffi.alloc('float', length)
      const samples = new Float32Array(koffi.view(data, bytes))
      const shape = BigInt64Array.from(inputShape.map(BigInt))
      const input = make('CreateTensorWithDataAsOrtValue', memory, data, bytes, shape, shape.length, floatType)
      return {
        run: (given) => {
          samples.set(given)
          const outputs: [Pointer] = [null]
          check(call('Run', session, null, [inputName], [input], 1, [outputName], 1, outputs))
          const result = koffi.decode(make('GetTensorMutableData', outputs[0]), 'float') as number
          call('ReleaseValue', outputs[0])
          return result
        },
      }
    },
    convert: (from, to) => {
      const options = make('CreateSessionOptions')
      check(call('SetIntraOpNumThreads', options, 1))
      check(call('SetSessionGraphOptimizationLevel', options, noOptimization))
      check(call('SetOptimizedModelFilePath', options, to))
      call('ReleaseSession', make('CreateSession', env, from, options))
      call('ReleaseSessionOptions', options)
    },
  }
}

let opened: Promise<OnnxRuntime> | undefined

/**
 * Loads the library, once in a process. `sherpaOnnx` is the URL of a file of the package `sherpa-onnx-node`. Rejects with an
 * `EngineUnavailableError` where the library does not run on this machine.
 */
export const loadOnnxRuntime = (sherpaOnnx: string): Promise<OnnxRuntime> => {
  opened ??= openRuntime(sherpaOnnx)
  return opened
}
