import { keyOf, searchOf } from '../shared/search.js'

/** The parts of the editor of an Agent, in their order, with their titles. */
export const sections = {
  general: 'General',
  prompt: 'Prompt',
  voice: 'Voice',
  model: 'Model',
  turns: 'Turn taking',
  tools: 'Tools',
  knowledge: 'Knowledge',
  sessions: 'Sessions',
  integrate: 'Integrate',
  evaluation: 'Evaluation',
  recording: 'Recording',
} as const

export type Section = keyof typeof sections

/** The section in a URL. */
export const sectionSearchOf = searchOf({ section: keyOf(sections) })
