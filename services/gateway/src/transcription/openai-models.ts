/** OpenAI's own names say nothing about the recognizers here: they take the best. */
export const openaiTranscriptionModels = ['whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe'] as const

export const isOpenaiTranscriptionModel = (model: string): boolean =>
  (openaiTranscriptionModels as readonly string[]).includes(model)
