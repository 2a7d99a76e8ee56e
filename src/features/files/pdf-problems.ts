/**
 * What of a PDF file pdf.js cannot draw here, in words: pictures whose formats need WebAssembly, which our policy
 * forbids, and letters of fonts that the file leaves to the program. The dictionaries of pictures are never packed, so
 * their formats stand in the bytes; of fonts some are missed.
 */
export function pdfProblems(bytes: Uint8Array): string[] {
  const text = new TextDecoder('latin1').decode(bytes)
  return [
    ...(/\/(?:JPXDecode|JBIG2Decode)\b/.test(text)
      ? ['Some pictures in this PDF can’t be shown here (JPEG 2000 or JBIG2).']
      : []),
    ...(/\/(?:Uni(?:GB|CNS|JIS|KS)|GBKp?|GBK2K|90ms|KSC|ETen|B5pc)[\w-]*-[HV]\b/.test(text)
      ? ['Some Chinese, Japanese or Korean letters may be missing here.']
      : []),
  ]
}
