/**
 * Reads scenarios in a worker, whose script is a file of its own: in the scripts of the pages, what checks the files would make the
 * first load of every page larger by 18 kB.
 */
import { parseScenarioFile, ScenarioFileError } from '@parlance/agent-tests'
import type { ReadScenarios } from './scenario-tests.js'

const read = (text: string): ReadScenarios => {
  try {
    return { file: parseScenarioFile(text) }
  } catch (error) {
    if (!(error instanceof ScenarioFileError)) throw error
    return { problems: error.problems.map(({ line, message }) => `Line ${line}: ${message}`) }
  }
}

self.addEventListener('message', ({ data }: MessageEvent<string>) => self.postMessage(read(data)))
