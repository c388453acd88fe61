/**
 * The workspace in which the person acts. A tab keeps its own; a new tab begins with the one that was chosen last. The
 * dashboard reloads when another one is chosen, so that no data of one workspace appears in another.
 */
const storageKey = 'parlance.workspace'

let current: string | undefined

/** The id that requests name; undefined before a person is signed in. */
export const currentWorkspaceId = (): string | undefined => current

/** Whether the person is no longer a member of the workspace of this page. The page must then reload. */
export const hasLeftWorkspace = (workspaces: readonly { id: string }[]): boolean =>
  current !== undefined && workspaces.every(({ id }) => id !== current)

/**
 * Stays in the workspace of this page; at first takes the one that was chosen, or else the first. Returns undefined for a
 * person without a workspace.
 */
export const enterWorkspace = <Workspace extends { id: string }>(
  workspaces: readonly Workspace[],
): Workspace | undefined => {
  const chosen = current ?? sessionStorage.getItem(storageKey) ?? localStorage.getItem(storageKey)
  const workspace = workspaces.find(({ id }) => id === chosen) ?? workspaces[0]
  // Written once: a choice in another tab does not affect this one, and a link that is preloaded does not undo a choice here.
  if (workspace !== undefined && workspace.id !== current) sessionStorage.setItem(storageKey, workspace.id)
  current = workspace?.id
  return workspace
}

/** Chooses another workspace and loads the dashboard again. */
export const switchWorkspace = (id: string): void => {
  sessionStorage.setItem(storageKey, id)
  localStorage.setItem(storageKey, id)
  location.assign('/')
}
