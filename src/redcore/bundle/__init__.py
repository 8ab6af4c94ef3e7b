# SPDX-License-Identifier: Apache-2.0
"""What redcore hands over: a design's verified bundle."""

from redcore.bundle.build import build_bundle
from redcore.bundle.contract_face import ContractFace
from redcore.bundle.hosted_face import hosted_face
from redcore.bundle.plain import Export, export
from redcore.bundle.report import BuildReport
from redcore.face import CONTRACT, register_face
from redcore.units.hosted import Hosted

register_face(CONTRACT, ContractFace)
register_face(Hosted.kind, hosted_face)
