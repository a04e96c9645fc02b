/** What the options' words are called on the page. */
export const NAMES = /** @type {Record<string, string>} */ ({
  tflm: 'TFLite Micro',
  tflite: 'LiteRT',
  'tflite-2018': 'TFLite 2018',
  none: 'none',
  own: 'its own',
  linear: 'linear',
  optimal: 'optimal',
  reference: 'reference',
  'cmsis-nn': 'CMSIS-NN M0, M3',
  'cmsis-nn-dsp': 'CMSIS-NN M4, M7, M33',
  'cmsis-nn-mve': 'CMSIS-NN M55, M85',
  'cortex-m': 'Cortex-M',
  ilp32: '32-bit',
  lp64: '64-bit',
});
