import { memberErrors, readErrors } from '../../openapi/error-codes.js'
import { findNaturalVoice } from '../pages/find-natural-voice.js'
import { member, type Route } from '../route.js'

const { isUndocumented: _, ...route } = findNaturalVoice

/** What `findNaturalVoice` does for keys. A member sees the command that installs the voice; Owners and Admins may install it. */
export const findNaturalVoiceForMembers: Route = {
  ...route,
  path: `/dashboard/api${route.path}`,
  authentication: member('member', 'tts'),
  errors: [...new Set([...readErrors, ...memberErrors])],
}
