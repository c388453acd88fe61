import type { Command } from 'commander'
import { addCommand, addGroup, type OutputOptions, type Runner } from '../command.js'

export const addToolsCommands = (
  program: Command,
  { answerAlone }: Runner,
  findToolKey: () => Promise<string>,
): void => {
  const tools = addGroup(program, 'tools', 'webhook tools of Agents')
  addCommand(tools, 'key', 'print the public key with which their calls are signed', ['', '--json']).action(
    (options: OutputOptions) =>
      answerAlone(options, async () => {
        const key = await findToolKey()
        return { json: { public_key: key }, text: () => key }
      }),
  )
}
