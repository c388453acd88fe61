import { endedKeys } from './api/ended-keys.js'
import { serverLibrary } from './api/server-library.js'
import { sessions } from './api/sessions.js'
import { speech } from './api/speech.js'
import { stream } from './api/stream.js'
import { describePlatforms } from './platforms.js'

describePlatforms(
  'speech and conversations',
  (platform) => {
    for (const suite of [stream, sessions]) suite(platform)
  },
  {
    programs: ['ffmpeg'],
    apart(platform) {
      for (const suite of [speech, serverLibrary, endedKeys]) suite(platform)
    },
  },
)
