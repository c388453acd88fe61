/** The parts of the editor of an Agent, in their order, with their titles. */
export const sections = {
  general: 'General',
  prompt: 'Prompt',
  voice: 'Voice',
  model: 'Model',
  turns: 'Turn taking',
  tools: 'Tools',
  sessions: 'Sessions',
  evaluation: 'Evaluation',
  recording: 'Recording',
} as const

export type Section = keyof typeof sections

export const isSection = (value: unknown): value is Section =>
  typeof value === 'string' && Object.hasOwn(sections, value)

/** The section of an address. None for one that the editor does not know. */
export const sectionSearchOf = ({ section }: Record<string, unknown>): { section?: Section } =>
  isSection(section) ? { section } : {}
