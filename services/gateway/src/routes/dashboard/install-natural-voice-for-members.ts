import { memberErrors } from '../../openapi/error-codes.js'
import { installNaturalVoice } from '../pages/install-natural-voice.js'
import { member, type Route } from '../route.js'

const { isUndocumented: _, ...route } = installNaturalVoice

/** What `installNaturalVoice` does for keys. */
export const installNaturalVoiceForMembers: Route = {
  ...route,
  path: `/dashboard/api${route.path}`,
  authentication: member('admin', 'tts'),
  errors: [...new Set([...route.errors, ...memberErrors])],
}
