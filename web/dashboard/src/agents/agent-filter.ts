/** What the list of Agents is filtered by. */
export interface AgentFilter {
  /** A part of the name, the slug or the description. */
  readonly q?: string
  readonly state?: 'draft' | 'published'
}

/** The filter of an address. What the page does not know is left out. */
export const agentFilterOf = ({ q, state }: Record<string, unknown>): AgentFilter => ({
  ...(typeof q === 'string' && q !== '' && { q }),
  ...((state === 'draft' || state === 'published') && { state }),
})
