import { findNaturalVoice } from '../pages/find-natural-voice.js'
import { findRecognizer } from '../pages/find-recognizer.js'
import { installOfferedModel } from '../pages/install-offered-model.js'
import { type Authentication, member, type Route } from '../route.js'

const forMembers = ({ isUndocumented: _, ...route }: Route, authentication: Authentication): Route => ({
  ...route,
  path: `/dashboard/api${route.path}`,
  authentication,
})

/**
 * The routes that the pages call with a key, for members. Members see the command that installs a model; Owners and Admins
 * may install it.
 */
export const offeredModelsForMembers: readonly Route[] = [
  forMembers(findNaturalVoice, member('member', 'tts')),
  forMembers(findRecognizer, member('member', 'agents')),
  forMembers(installOfferedModel, member('admin')),
]
