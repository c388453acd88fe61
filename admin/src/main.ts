/** The command line of a checkout and of the image: that of `@parlance/cli`, and the commands for the installation itself. */
import { relative } from 'node:path'
import { orAborted } from '@parlance/async'
import { runProcess } from '@parlance/cli'
import { modelsDirOf } from '@parlance/runtime/installation'
import { installationCommands } from './commands.js'
import type { DiagnoseOptions } from './doctor/diagnose.js'

/** Relative to the working folder if the path is in it, which is easier to read. */
const nearest = (path: string): string => {
  const fromHere = relative('', path)
  return fromHere.startsWith('..') ? path : fromHere
}

// Modules that few commands need are loaded on demand: loading them takes longer than the rest of a command.
await runProcess({
  async startServices(environment, signal) {
    const services = await import('./operator-services.js')
    return services.startOperatorServices(environment, signal)
  },
  addCommands({ environment, signal, progress, ...tools }) {
    const modelsDir = nearest(modelsDirOf(environment))
    const openModels = async () => {
      const { createModelTools } = await import('./models/model-tools.js')
      return createModelTools(modelsDir, signal)
    }
    return installationCommands({
      ...tools,
      progress,
      modelsDir,
      openModels,
      async migrate() {
        const { migrateDatabases } = await import('./migrate-databases.js')
        return orAborted(migrateDatabases(environment, progress), signal)
      },
      async diagnose(options: DiagnoseOptions) {
        const doctor = await import('./doctor/diagnose.js')
        const models = await openModels()
        return orAborted(doctor.diagnose(options, { environment, models, modelsDir, progress, signal }), signal)
      },
    })
  },
})
