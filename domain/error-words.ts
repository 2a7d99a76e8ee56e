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
const wrongForm: ErrorWords = { message: 'A value has the wrong format.' }
const tooLarge: ErrorWords = { message: 'A value is too large.' }

/** The one table of error messages, by SQLSTATE: the server answers with them, and the browser shows them. */
export const errorWords: Readonly<Record<string, ErrorWords>> = {
  '08P01': wrongForm,
  '22003': { message: 'A number is too large.' },
  '22007': { message: 'A date or time can’t be read.' },
  '22008': { message: 'This date doesn’t exist.' },
  '22021': wrongForm,
  '22P02': wrongForm,
  '22P05': wrongForm,
  '23502': { message: 'A required value is missing.' },
  '23503': { message: 'A linked record no longer exists.' },
  '23505': { message: 'This already exists.' },
  '23514': { message: 'A value isn’t allowed here.' },
  '40001': changedMeanwhile,
  '40P01': changedMeanwhile,
  '42501': { message: 'You don’t have permission to do this.' },
  '53100': { message: 'The server’s disk is full.' },
  '53300': { message: 'The server is busy.', isPassing: true },
  '53400': { message: 'The answer is too large. Ask for less at once.' },
  '54000': tooLarge,
  '54001': tooLarge,
  '54011': tooLarge,
  '54023': tooLarge,
  '55000': { message: 'This is read-only.' },
  '55P03': { message: 'Another change is in progress.', isPassing: true },
  '57014': { message: 'This took too long and was stopped.' },
  '57P03': { message: 'The database isn’t responding.', isPassing: true },
}
