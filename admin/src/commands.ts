import { addGroup, type CommandLineEnvironment, type OperatorCalls, type Progress } from '@parlance/cli'
import { addDoctorCommand, type Diagnose } from './commands/doctor.js'
import { addMigrateCommand, type MigratedSchema } from './commands/migrate.js'
import type { Confirm } from './commands/models-options.js'
import type { ModelTools } from './models/model-tools.js'

/** The parts of the process and the installation that these commands need. */
export interface InstallationEnvironment {
  migrate(): Promise<readonly MigratedSchema[]>
  openModels(): Promise<ModelTools>
  /** The models folder of the installation. */
  modelsDir: string
  diagnose: Diagnose
  /** Calls to services that run; undefined when none are running. */
  openRunningCalls(): Promise<OperatorCalls | undefined>
  progress: Progress
  /** Undefined when no person is at a terminal. */
  confirm?: Confirm | undefined
  printError(text: string): void
  /** Whether the output may have colors. */
  isColored: boolean
}

/** The commands that work on the database, the models and the configuration of an installation. */
export const installationCommands =
  (environment: InstallationEnvironment): NonNullable<CommandLineEnvironment['addCommands']> =>
  async (program, runner, args) => {
    const { migrate, openModels, modelsDir, diagnose, openRunningCalls, progress, confirm, isColored } = environment
    const note = (line: string) => environment.printError(`${line}\n`)
    addMigrateCommand(program, runner, migrate)
    const models = addGroup(program, 'models', 'local models that speak and recognize speech')
    if (args.includes(models.name())) {
      const { addModelsCommands } = await import('./commands/models.js')
      addModelsCommands(models, runner, await openModels(), { modelsDir, progress, note, confirm })
    }
    if (args.includes('setup') || !args.some((arg) => !arg.startsWith('-'))) {
      const { addSetupCommand } = await import('./commands/setup.js')
      addSetupCommand(program, runner, await openModels(), { modelsDir, progress, note, confirm, openRunningCalls })
    }
    addDoctorCommand(program, runner, diagnose, isColored)
  }
