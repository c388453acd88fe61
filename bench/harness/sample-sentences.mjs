/** Sentences of an agent, the shortest first. */
export const sampleSentences = [
  'Yes.',
  'One moment, please.',
  'Good morning, how can I help you today?',
  'I am sorry to hear that. Let me look at your order, it will take a few seconds.',
  'Your parcel left our warehouse on Tuesday and should arrive tomorrow before noon.',
  'The next train to Cambridge leaves at 10:42 from platform 9; the one after that at 11:12.',
  'We are open from Monday to Friday, nine to five. On Saturdays we close at one, and on Sundays we are not here at all.',
  'Thank you for calling. If there is anything else that you would like to know, just ask, and I will do my best to find an answer for you.',
]

/** The sentences that are long enough for a turn. Streams and neural voices are measured with these. */
export const longerSentences = sampleSentences.slice(2)
