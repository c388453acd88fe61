/**
 * The workspace in which the person acts. A tab keeps its own; a new tab begins with the one that was chosen last. The
 * dashboard loads anew when another one is chosen, so that nothing of one workspace appears in another.
 */
const storageKey = 'parlance.workspace'

let current: string | undefined

/** The id that requests name; undefined before a person is signed in. */
export const currentWorkspaceId = (): string | undefined => current

/** Takes the workspace that was chosen, or else the first. Returns undefined for a person without a workspace. */
export const enterWorkspace = <Workspace extends { id: string }>(
  workspaces: readonly Workspace[],
): Workspace | undefined => {
  const chosen = sessionStorage.getItem(storageKey) ?? localStorage.getItem(storageKey)
  const workspace = workspaces.find(({ id }) => id === chosen) ?? workspaces[0]
  current = workspace?.id
  return workspace
}

/** Chooses another workspace and loads the dashboard anew. */
export const switchWorkspace = (id: string): void => {
  sessionStorage.setItem(storageKey, id)
  localStorage.setItem(storageKey, id)
  location.assign('/')
}
