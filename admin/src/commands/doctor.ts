import { addCommand, folderName, type OutputOptions, type Runner, serviceNames, webAddress } from '@parlance/cli'
import { type Command, CommanderError, InvalidArgumentError } from 'commander'
import { type CheckedFinding, type CheckName, checkNames } from '../doctor/check.js'
import type { DiagnoseOptions } from '../doctor/diagnose.js'
import { reportOf } from '../doctor/report.js'

export type Diagnose = (options: DiagnoseOptions) => Promise<readonly CheckedFinding[]>

const wrongUsage = 2

const checkList = (value: string): CheckName[] =>
  value.split(',').map((name) => {
    const found = checkNames.find((one) => one === name.trim())
    if (found !== undefined) return found
    throw new InvalidArgumentError(`There are ${checkNames.join(', ')}.`)
  })

const udpPort = (value: string): number => {
  if (/^\d+$/.test(value) && Number(value) > 0 && Number(value) < 65_536) return Number(value)
  throw new InvalidArgumentError('It must be a port from 1 to 65535.')
}

const hostAndPort = (value: string) => {
  const [, host, port] = /^(.+):(\d+)$/.exec(value) ?? []
  if (host !== undefined && port !== undefined) return { host: host.replace(/^\[|\]$/g, ''), port: udpPort(port) }
  throw new InvalidArgumentError('It must be a host and a port such as 203.0.113.7:40000.')
}

const seconds = (value: string): number => {
  if (/^[1-9]\d*$/.test(value) && Number(value) <= 3_600) return Number(value)
  throw new InvalidArgumentError('It must be a number of seconds from 1 to 3600.')
}

export const addDoctorCommand = (
  program: Command,
  { answerAlone }: Runner,
  diagnose: Diagnose,
  isColored: boolean,
): void => {
  const command = addCommand(program, 'doctor', 'check this installation and what it needs, and print how to fix it', [
    '',
    '--only nats,redis,postgres',
    '--only udp --udp-to media.example.com:40000',
    '--only websocket --ws-idle 300 --url https://speech.example.com',
  ])
    .option('--only <checks>', `some of the checks, with commas: ${checkNames.join(', ')}`, checkList)
    .option(
      '--service <services>',
      'services that run with this environment: all they require must be set',
      serviceNames,
    )
    .option('--nats-users <folder>', 'try each user of NATS whose .nk, .creds or .password file is there', folderName)
    .option('--udp-to <host:port>', 'send STUN requests there, to see whether UDP passes', hostAndPort)
    .option('--udp-answer <port>', 'answer STUN requests at this UDP port for a minute', udpPort)
    .option(
      '--ws-idle <seconds>',
      'hold an idle WebSocket at the public address, with the key in PARLANCE_API_KEY',
      seconds,
    )
    .option('--url <address>', 'the public address (default: PUBLIC_URL, or that of npm start)', webAddress)
    .addHelpText(
      'after',
      '\nExit codes:\n  0  no error, perhaps warnings\n  1  at least one error\n  2  the command was called wrongly',
    )
    .action((options: DiagnoseOptions & OutputOptions) =>
      answerAlone(options, async () => reportOf(await diagnose(options), isColored)),
    )
  command.exitOverride((problem) => {
    throw problem.exitCode === 0 ? problem : new CommanderError(wrongUsage, problem.code, problem.message)
  })
}
