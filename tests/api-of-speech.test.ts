import { endedKeys } from './api/ended-keys.js'
import { serverLibrary } from './api/server-library.js'
import { sessions } from './api/sessions.js'
import { speech } from './api/speech.js'
import { stream } from './api/stream.js'
import { describePlatforms } from './platforms.js'

describePlatforms(
  'speech and conversations',
  (platform) => {
    for (const suite of [speech, stream, sessions, serverLibrary, endedKeys]) suite(platform)
  },
  ['ffmpeg'],
)
