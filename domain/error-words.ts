/** The message for a database error. */
type ErrorWords = {
  message: string
  /** Whether a retry may succeed. */
  isPassing?: true
}

const changedMeanwhile: ErrorWords = {
  message: 'Someone else changed the same thing.',
  isPassing: true,
}
const wrongForm: ErrorWords = { message: 'A value has the wrong form.' }
const tooLarge: ErrorWords = { message: 'A value is too large.' }

/** The one table of error messages, by SQLSTATE: the server answers with them, and the browser shows them. */
export const errorWords: Readonly<Record<string, ErrorWords>> = {
  '08P01': wrongForm,
  '22003': { message: 'A number is too large.' },
  '22007': { message: 'A date or time cannot be read.' },
  '22008': { message: 'There is no such date.' },
  '22021': wrongForm,
  '22P02': wrongForm,
  '22P05': wrongForm,
  '23502': { message: 'A required value is missing.' },
  '23503': { message: 'A linked record does not exist any more.' },
  '23505': { message: 'There is one like this already.' },
  '23514': { message: 'A value is not allowed here.' },
  '40001': changedMeanwhile,
  '40P01': changedMeanwhile,
  '42501': { message: 'You may not do this.' },
  '53100': { message: 'The disk of the server is full.' },
  '53300': { message: 'Too much is asked for at the moment.', isPassing: true },
  '53400': { message: 'The answer would be too long. Ask for less at once.' },
  '54000': tooLarge,
  '54001': tooLarge,
  '54011': tooLarge,
  '54023': tooLarge,
  '55000': { message: 'This can only be read.' },
  '55P03': { message: 'Something else is being changed at the moment.', isPassing: true },
  '57014': { message: 'This took too long and was stopped.' },
  '57P03': { message: 'The database does not answer.', isPassing: true },
}
