import { currentWorkspaceId } from '../session/current-workspace.js'

/** In the browser, for each workspace: whether the list was finished or closed. */
const storageKey = () => `parlance.get-started.${currentWorkspaceId()}`

export const isStarted = (): boolean => localStorage.getItem(storageKey()) !== null

export const setStarted = (): void => localStorage.setItem(storageKey(), new Date().toISOString())
