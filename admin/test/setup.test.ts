import type { InstallOptions } from '@parlance/models/install'
import { createFakeModelTools } from './fake-model-tools.js'
import { createFakeServices, workspaceId } from './fake-services.js'

const stepsOf = (output: string) => JSON.parse(output).steps
const oneWorkspace = () => {
  const services = createFakeServices()
  const { listWorkspaces } = services.calls.auth
  services.calls.auth.listWorkspaces = async (request) => ({ ...(await listWorkspaces(request)), next_cursor: null })
  return services
}

/** Tools that record the names of installed models and the paths of imported ones. */
const toolsThatRecord = () => {
  const done: string[] = []
  const openModels = async () => {
    const fake = createFakeModelTools()
    return {
      ...fake,
      install: (...[model, catalog, options]: Parameters<typeof fake.install>) => {
        done.push(model.name)
        return fake.install(model, catalog, options as InstallOptions)
      },
      importModels: async (path: string) => {
        done.push(path)
        return []
      },
    }
  }
  return { done, openModels }
}

test('with --yes the recommended models are installed, and a model server that is found is used', async () => {
  const { run, asked } = oneWorkspace()
  const { done, openModels } = toolsThatRecord()
  const { exitCode, output } = await run(['setup', '--yes', '--language', 'en-US', '--json'], { openModels })
  expect(exitCode).toBe(0)
  expect(done).toEqual(['en_US-joe-medium'])
  expect(stepsOf(output)).toEqual([
    { step: 'voice', status: 'added', detail: 'en_US-joe-medium' },
    { step: 'recognizer', status: 'open', detail: expect.any(String) },
    { step: 'language_model', status: 'added', detail: 'Ollama, qwen3:8b' },
  ])
  expect(asked).toContainEqual([
    'createProvider',
    {
      workspace_id: workspaceId,
      provider: { kind: 'openai_compatible', name: 'Ollama', url: 'http://127.0.0.1:11434/v1' },
      actor: { kind: 'operator', id: null },
    },
  ])
})

test('without a terminal nothing is installed or added, and the steps that are open are listed', async () => {
  const { run } = oneWorkspace()
  const { done, openModels } = toolsThatRecord()
  const { exitCode, output } = await run(['setup', '--language', 'en-US', '--json'], { openModels })
  expect([exitCode, done]).toEqual([0, []])
  expect(stepsOf(output).map(({ status }: { status: string }) => status)).toEqual(['open', 'open', 'open'])
})

test('the person is asked, an empty answer is yes, and the question names the size and the license', async () => {
  const { run } = oneWorkspace()
  const { done, openModels } = toolsThatRecord()
  const questions: string[] = []
  const confirm = async (question: string, isDefault = false) => {
    questions.push(question)
    return isDefault
  }
  await run(['setup', '--language', 'en-US'], { openModels, confirm })
  expect(done).toEqual(['en_US-joe-medium'])
  expect(questions[0]).toBe('Install the voice en_US-joe-medium (63 MB, CC0)? [Y/n] ')
  expect(questions.at(-1)).toBe('Use Ollama with qwen3:8b? [Y/n] ')
})

test('files are imported, for machines without a network', async () => {
  const { run } = oneWorkspace()
  const { done, openModels } = toolsThatRecord()
  expect((await run(['setup', 'joe.onnx', 'moonshine.whl'], { openModels })).exitCode).toBe(0)
  expect(done).toEqual(['joe.onnx', 'moonshine.whl'])
})

test('when nothing is running, the step of the language model explains how to continue', async () => {
  const { run } = oneWorkspace()
  const { output } = await run(['setup', '--json'], { openRunningCalls: async () => undefined })
  expect(stepsOf(output)[2]).toMatchObject({ status: 'open', detail: expect.stringContaining('npm start') })
})
