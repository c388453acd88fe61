/**
 * The types of engines, one line each. A parsed configuration is an engine that can be opened, so no other module depends on
 * its type.
 */
import { z } from 'zod'
import type { Engine, EngineContext, OpenEngines } from './engine/engine.js'
import { espeakEngineConfig, openEspeakEngines } from './engine/espeak-engine.js'
import { fliteEngineConfig, openFliteEngines } from './engine/flite-engine.js'
import { openSherpaOnnxEngines, sherpaOnnxEngineConfig } from './engine/sherpa-onnx-engine.js'
import { cartesiaEngineConfig, openCartesiaEngines } from './remote/cartesia-engine.js'
import { elevenlabsEngineConfig, openElevenlabsEngines } from './remote/elevenlabs-engine.js'
import { openaiEngineConfig, openOpenaiEngines } from './remote/openai-engine.js'

/** Opens what an entry of the configuration describes; usually one engine. */
export type ConfiguredEngine = (name: string, context: EngineContext) => Promise<readonly Engine[]>

export interface EngineDefaults {
  /** The default number of processes of an eSpeak NG entry. */
  readonly espeakProcesses: number
}

const engineType = <Config extends z.ZodObject>(config: Config, open: OpenEngines<z.output<Config>>) =>
  config.transform(
    (settings): ConfiguredEngine =>
      (name, context) =>
        open(name, settings, context),
  )

export const createEngineSchema = ({ espeakProcesses }: EngineDefaults) =>
  z.discriminatedUnion('type', [
    engineType(espeakEngineConfig, (name, config, context) =>
      openEspeakEngines(name, { processes: espeakProcesses, ...config }, context),
    ),
    engineType(fliteEngineConfig, openFliteEngines),
    engineType(sherpaOnnxEngineConfig, openSherpaOnnxEngines),
    engineType(openaiEngineConfig, openOpenaiEngines),
    engineType(elevenlabsEngineConfig, openElevenlabsEngines),
    engineType(cartesiaEngineConfig, openCartesiaEngines),
  ])
