/** OpenAI's model names match no local model. They select the preferred recognizer. */
export const openaiTranscriptionModels = ['whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe'] as const

export const isOpenaiTranscriptionModel = (model: string): boolean =>
  (openaiTranscriptionModels as readonly string[]).includes(model)
