// The .tflite schema as data: every table's fields in slot order, as `name type` or `name type=default`. `-` is a
// slot that nothing here uses. Types: i8 u8 bool i32 u32 u64 f32 string, a table's name, [type] for a vector,
// [u8:16] for bytes aligned to 16, and <Union> for a union, whose tag has the slot before.

const TABLES = `
Model: version u32, operator_codes [OperatorCode], subgraphs [SubGraph], description string, buffers [Buffer], metadata_buffer [i32], metadata [Metadata], signature_defs [SignatureDef], external_buffer_groups [ExternalBufferGroup], external_buffers [ExternalBuffer]
OperatorCode: deprecated_builtin_code i8, custom_code string, version i32=1, builtin_code i32
SubGraph: tensors [Tensor], inputs [i32], outputs [i32], operators [Operator], name string, debug_metadata_index i32=-1
Tensor: shape [i32], type i8, buffer u32, name string, quantization QuantizationParameters, is_variable bool, sparsity SparsityParameters, shape_signature [i32], has_rank bool, variant_tensors [VariantSubType], external_buffer u32
Operator: opcode_index u32, inputs [i32], outputs [i32], builtin_options_type u8, builtin_options <BuiltinOptions>, custom_options [u8], custom_options_format i8, mutating_variable_inputs [bool], intermediates [i32], large_custom_options_offset u64, large_custom_options_size u64, builtin_options_2_type u8, builtin_options_2 <BuiltinOptions2>, debug_metadata_index i32=-1
Buffer: data [u8:16], offset u64, size u64
Metadata: name string, buffer u32
SignatureDef: inputs [TensorMap], outputs [TensorMap], signature_key string, - string, subgraph_index u32
TensorMap: name string, tensor_index u32
VariantSubType: shape [i32], type i8, has_rank bool
ExternalBufferGroup: name string
ExternalBuffer: id u32, group u32, offset u64, length u64, packing string
QuantizationParameters: min [f32], max [f32], scale [f32], zero_point [i64], details_type u8, details <QuantizationDetails>, quantized_dimension i32
SparsityParameters: traversal_order [i32], block_map [i32]
IfOptions: then_subgraph_index i32, else_subgraph_index i32
WhileOptions: cond_subgraph_index i32, body_subgraph_index i32
CallOnceOptions: init_subgraph_index i32
CallOptions: subgraph u32
StableHLOCompositeOptions: name string, decomposition_subgraph_index i32, composite_attributes [u8], composite_attributes_format i8, version i32
StablehloWhileOptions: cond_subgraph_index i32, body_subgraph_index i32
StablehloCaseOptions: branch_subgraph_indices [i32]
Conv2DOptions: padding i8, stride_w i32, stride_h i32, fused_activation_function i8, dilation_w_factor i32=1, dilation_h_factor i32=1, quantized_bias_type i8
DepthwiseConv2DOptions: padding i8, stride_w i32, stride_h i32, depth_multiplier i32, fused_activation_function i8, dilation_w_factor i32=1, dilation_h_factor i32=1
TransposeConvOptions: padding i8, stride_w i32, stride_h i32, fused_activation_function i8, quantized_bias_type i8
Pool2DOptions: padding i8, stride_w i32, stride_h i32, filter_width i32, filter_height i32, fused_activation_function i8
FullyConnectedOptions: fused_activation_function i8, weights_format i8, keep_num_dims bool, asymmetric_quantize_inputs bool, quantized_bias_type i8
ReshapeOptions: new_shape [i32]
SVDFOptions: rank i32, fused_activation_function i8, asymmetric_quantize_inputs bool
LSTMOptions: fused_activation_function i8, cell_clip f32, proj_clip f32, kernel_type i8, asymmetric_quantize_inputs bool
UnidirectionalSequenceLSTMOptions: fused_activation_function i8, cell_clip f32, proj_clip f32, time_major bool, asymmetric_quantize_inputs bool, diagonal_recurrent_tensors bool
GatherOptions: axis i32, batch_dims i32
BatchMatMulOptions: adj_x bool, adj_y bool, asymmetric_quantize_inputs bool
SpaceToDepthOptions: block_size i32
DepthToSpaceOptions: block_size i32
VarHandleOptions: container string, shared_name string
ReducerOptions: keep_dims bool
ConcatenationOptions: axis i32, fused_activation_function i8
PackOptions: values_count i32, axis i32
UnpackOptions: num i32, axis i32
SplitOptions: num_splits i32
SplitVOptions: num_splits i32
StridedSliceOptions: begin_mask i32, end_mask i32, ellipsis_mask i32, new_axis_mask i32, shrink_axis_mask i32, offset bool
SqueezeOptions: squeeze_dims [i32]
MirrorPadOptions: mode i8
CumsumOptions: exclusive bool, reverse bool
L2NormOptions: fused_activation_function i8
SoftmaxOptions: beta f32
AddOptions: fused_activation_function i8, pot_scale_int16 bool=1
SubOptions: fused_activation_function i8, pot_scale_int16 bool=1
MulOptions: fused_activation_function i8
DivOptions: fused_activation_function i8
LeakyReluOptions: alpha f32
ResizeBilinearOptions: new_height i32, new_width i32, align_corners bool, half_pixel_centers bool
ResizeNearestNeighborOptions: align_corners bool, half_pixel_centers bool
SequenceRNNOptions: time_major bool, fused_activation_function i8, asymmetric_quantize_inputs bool
CastOptions: in_data_type i8, out_data_type i8
ArgMaxOptions: output_type i8
ArgMinOptions: output_type i8
ShapeOptions: out_type i8
`;

/** Tags of the unions' members. An options table that is not listed above is written without fields. */
export const UNIONS = {
  BuiltinOptions: numbered(
    'NONE Conv2DOptions DepthwiseConv2DOptions ConcatEmbeddingsOptions LSHProjectionOptions Pool2DOptions SVDFOptions RNNOptions FullyConnectedOptions SoftmaxOptions ConcatenationOptions AddOptions L2NormOptions LocalResponseNormalizationOptions LSTMOptions ResizeBilinearOptions CallOptions ReshapeOptions SkipGramOptions SpaceToDepthOptions EmbeddingLookupSparseOptions MulOptions PadOptions GatherOptions BatchToSpaceNDOptions SpaceToBatchNDOptions TransposeOptions ReducerOptions SubOptions DivOptions SqueezeOptions SequenceRNNOptions StridedSliceOptions ExpOptions TopKV2Options SplitOptions LogSoftmaxOptions CastOptions DequantizeOptions MaximumMinimumOptions ArgMaxOptions LessOptions NegOptions PadV2Options GreaterOptions GreaterEqualOptions LessEqualOptions SelectOptions SliceOptions TransposeConvOptions SparseToDenseOptions TileOptions ExpandDimsOptions EqualOptions NotEqualOptions ShapeOptions PowOptions ArgMinOptions FakeQuantOptions PackOptions LogicalOrOptions OneHotOptions LogicalAndOptions LogicalNotOptions UnpackOptions FloorDivOptions SquareOptions ZerosLikeOptions FillOptions BidirectionalSequenceLSTMOptions BidirectionalSequenceRNNOptions UnidirectionalSequenceLSTMOptions FloorModOptions RangeOptions ResizeNearestNeighborOptions LeakyReluOptions SquaredDifferenceOptions MirrorPadOptions AbsOptions SplitVOptions UniqueOptions ReverseV2Options AddNOptions GatherNdOptions CosOptions WhereOptions RankOptions ReverseSequenceOptions MatrixDiagOptions QuantizeOptions MatrixSetDiagOptions HardSwishOptions IfOptions WhileOptions DepthToSpaceOptions NonMaxSuppressionV4Options NonMaxSuppressionV5Options ScatterNdOptions SelectV2Options DensifyOptions SegmentSumOptions BatchMatMulOptions CumsumOptions CallOnceOptions BroadcastToOptions Rfft2dOptions Conv3DOptions HashtableOptions HashtableFindOptions HashtableImportOptions HashtableSizeOptions VarHandleOptions ReadVariableOptions AssignVariableOptions RandomOptions BucketizeOptions GeluOptions DynamicUpdateSliceOptions UnsortedSegmentProdOptions UnsortedSegmentMaxOptions UnsortedSegmentMinOptions UnsortedSegmentSumOptions ATan2Options SignOptions BitcastOptions BitwiseXorOptions RightShiftOptions',
  ),
  BuiltinOptions2: numbered(
    'NONE StablehloConcatenateOptions StablehloBroadcastInDimOptions StablehloSliceOptions StablehloConvolutionOptions StablehloCustomCallOptions StablehloReduceOptions StablehloScatterOptions StablehloCompareOptions StablehloDynamicSliceOptions StablehloPadOptions StablehloIotaOptions StablehloDotGeneralOptions StablehloReduceWindowOptions StablehloSortOptions StablehloWhileOptions StablehloGatherOptions StablehloTransposeOptions DilateOptions StablehloRngBitGeneratorOptions ReduceWindowOptions StableHLOCompositeOptions StablehloShiftLeftOptions StablehloCaseOptions',
  ),
  QuantizationDetails: numbered('NONE CustomQuantization BlockwiseQuantization'),
};

export const TENSOR_TYPES = numbered(
  'FLOAT32 FLOAT16 INT32 UINT8 INT64 STRING BOOL INT16 COMPLEX64 INT8 FLOAT64 COMPLEX128 UINT64 RESOURCE VARIANT UINT32 UINT16 INT4 BFLOAT16 INT2 UINT4 FLOAT8_E4M3FN FLOAT8_E5M2',
);

/** @param {string} names @returns {Record<string, number>} */
function numbered(names) {
  return Object.fromEntries(names.split(' ').map((name, number) => [name, number]));
}

/** @typedef {{ name: string, type: string, otherwise: number }} Field */

/** @type {Record<string, Field[]>} */
export const SCHEMA = Object.fromEntries(
  TABLES.trim().split('\n').map((line) => {
    const [table, fields] = line.split(': ');
    return [table, fields.split(', ').map(parseField)];
  }),
);

/** @param {string} text @returns {Field} */
function parseField(text) {
  const [name, rest] = text.split(' ');
  const [type, otherwise] = rest.split('=');
  return { name, type, otherwise: Number(otherwise ?? 0) };
}

/** The fields of a table; none for an options table that the schema above leaves out. @param {string} table */
export function fieldsOf(table) {
  return SCHEMA[table] ?? [];
}
