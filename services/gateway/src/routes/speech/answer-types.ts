import type { TtsRequest } from '@parlance/contracts'

/** The media types that `Accept` may name for the response mode of a request. The first is that of the response. */
export const answerTypes = (mode: TtsRequest['response_mode'], audioType: string): string[] => {
  switch (mode) {
    case 'audio':
      return [audioType.split(';')[0] as string, 'application/octet-stream']
    case 'json':
      return ['application/json']
    case 'sse':
      return ['text/event-stream']
  }
}
