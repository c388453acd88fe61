import { run, StartupError } from '@parlance/runtime'
import { modelsDirOf, openStandaloneEnvironment } from '@parlance/runtime/installation'
import { gateway } from '@parlance/service-gateway'
import { createDevelopment } from './development.js'
import { readDevelopmentWorkspaceId } from './development-key.js'
import { services } from './index.js'
import { createModelAdministration } from './models/model-administration.js'
import { createModelInstaller, type ModelInstaller, type OpenModelInstaller } from './models/model-installer.js'
import { createModelOffers } from './models/model-offers.js'
import { createOperator } from './operator.js'

const refuse = (error: unknown): never => {
  if (!(error instanceof StartupError)) throw error
  for (const line of error.lines) console.error(line)
  process.exit(1)
}

const { environment, dataFolder, url } = await openStandaloneEnvironment(process.env).catch(refuse)
const modelsDir = modelsDirOf(environment)

let installer: ModelInstaller | undefined
/** The gateway installs models; `development` lists them at the start, and stops installations when the process ends. */
const openInstaller: OpenModelInstaller = (logger) => {
  installer ??= createModelInstaller({ modelsDir, mirror: environment.PARLANCE_MODELS_MIRROR || undefined, logger })
  return installer
}

const installingGateway = gateway.withInstallers((logger) => {
  const models = openInstaller(logger)
  const findWorkspaceId = () => readDevelopmentWorkspaceId(dataFolder)
  return {
    modelOffers: createModelOffers({ installer: models, modelsDir, findWorkspaceId }),
    modelAdministration: createModelAdministration(models),
  }
})
// Workers with an engines file do not use the models folder.
const page = environment.TTS_ENGINES_FILE ? gateway : installingGateway
const development = createDevelopment({
  dataFolder,
  url,
  openInstaller: environment.TTS_ENGINES_FILE ? undefined : openInstaller,
})
const ofThisMachine = [createOperator(dataFolder), development]
await run([...services.map((service) => (service.name === gateway.name ? page : service)), ...ofThisMachine], {
  environment,
  command: 'npm start',
})
